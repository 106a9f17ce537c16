import { expect, test } from 'vitest'
import { besideEachOther } from '../../../src/report/charts/drawing/spread-points.ts'

const at = (x: number, top: number, bottom = top + 14) => ({ x, top, bottom })

test('points with nearly the same x, whose whiskers meet, are beside each other around their middle', () =>
  expect(besideEachOther([at(102, 50, 120), at(100, 100), at(101, 60)])).toEqual([112, 90, 101]))

test('points that cover nothing stay where their value is', () =>
  expect(besideEachOther([at(100, 50), at(101, 200), at(300, 50)])).toEqual([100, 101, 300]))
