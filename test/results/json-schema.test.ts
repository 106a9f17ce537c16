import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { resultJsonSchema } from '../../src/results/json-schema.ts'
import { aResult } from './a-result.ts'

const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(resultJsonSchema())

test('the JSON Schema of a result accepts a whole one and refuses a cut one', () => {
  expect(accepts(aResult())).toBe(true)
  expect(accepts({ ...aResult(), environment: {} })).toBe(false)
})
