import { z } from 'zod'

const field = z
  .string()
  .regex(/^[^$.\0]+$/, 'must be a field at the top of a document, without "." and "$"')
  .refine((name) => name !== '_id', 'must be another field than "_id"')

const seconds = z.int().min(1).max(31_536_000)

/** Schema of the option that makes a collection a time series. */
export const timeseries = z
  .strictObject({
    timeField: field.describe('Field with the time of a measurement, a date.'),
    metaField: field
      .optional()
      .describe('Field that names the series, such as a device. Default: there is one series.'),
    granularity: z
      .enum(['seconds', 'minutes', 'hours'])
      .optional()
      .describe('Whether a bucket spans an hour, a day or 30 days at most. Default: the server\'s, "seconds".'),
    bucketMaxSpanSeconds: seconds.optional().describe('What a bucket spans at most. MongoDB 6.3 or newer.'),
    bucketRoundingSeconds: seconds.optional().describe('What its first time is rounded to: `bucketMaxSpanSeconds`.'),
  })
  .refine(({ timeField, metaField }) => metaField !== timeField, {
    path: ['metaField'],
    message: 'must be another field than "timeField"',
  })
  .refine(
    ({ granularity, bucketMaxSpanSeconds: span, bucketRoundingSeconds: rounding }) =>
      span === rounding && (span === undefined || granularity === undefined),
    '"bucketMaxSpanSeconds" and "bucketRoundingSeconds" need each other, with one value, and no "granularity"',
  )
  .meta({ title: 'TimeSeries' })
  .describe('Makes it a time series, whose measurements the server packs into buckets. MongoDB 5.0 or newer.')
