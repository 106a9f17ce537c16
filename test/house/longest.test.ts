import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longest } from '../longest-first.ts'

test('every file that is known to take long is where it was', () =>
  expect(longest.filter((file) => !existsSync(file))).toEqual([]))
