import { z } from 'zod'
import { defineGenerator } from './generator.ts'

/** The generator `@sample`. */
export const sample = defineGenerator({
  keyword: '@sample',
  summary:
    'A value sampled uniformly from an existing collection: from up to 1000 of its documents, read before the phases. The seed chooses them among up to a million, the server among more.',
  args: z.strictObject({
    of: z.string().optional().describe('Collection that was read. Default: the only one.'),
    path: z
      .string()
      .regex(/^[^$.\0][^.\0]*(\.[^$.\0][^.\0]*)*$/, 'must be a field or a dotted path into documents')
      .describe(
        'Where the value stands, as a dotted path. A list there, or on the way, gives its elements; documents without it are passed over.',
      ),
  }),
  example: { path: 'customer.city' },
  compile({ of, path }, context) {
    const values = context.rows(of)?.samples(path)
    if (!values) return () => null
    const stream = context.stream()
    return ({ n, lane }) => values[stream.at(n, lane).below(values.length)]
  },
})
