import { z } from 'zod'
import { defineGenerator } from './generator.ts'

export const path = z
  .string()
  .regex(/^[^$.\0][^.\0]*(\.[^$.\0][^.\0]*)*$/, 'must be a field or a dotted path into documents')

type Wanted = { readonly path: string | readonly string[] }

/** No path has it. */
const separator = '\0'

/** The name under which the values for an argument of `@sample` are kept. */
export const sampleKey = ({ path: wanted }: Wanted): string =>
  typeof wanted === 'string' ? wanted : ['', ...wanted].join(separator)

/** The paths that a key asks for together, of one document. Undefined: it asks for the values at one path. */
export const pathsOfKey = (key: string): readonly string[] | undefined =>
  key.startsWith(separator) ? key.slice(1).split(separator) : undefined

export const sample = defineGenerator({
  keyword: '@sample',
  summary:
    'A value sampled uniformly from an existing collection: from up to 1000 documents, read before the phases. The seed chooses them in a collection of up to a million documents, the server in a larger one.',
  args: z.strictObject({
    of: z.string().optional().describe('Collection. Default: the only one.'),
    path: z
      .union([path, z.array(path).min(1)])
      .describe(
        'Dotted path of the value. A list there, or on the way, gives its elements; documents without it are skipped. Several paths give a document with them, of one that has all.',
      ),
  }),
  example: { path: 'customer.city' },
  compile({ of, ...wanted }, context) {
    const values = context.rows(of)?.samples(sampleKey(wanted))
    if (!values) return () => null
    const stream = context.stream()
    return ({ n, lane }) => values[stream.at(n, lane).below(values.length)]
  },
})
