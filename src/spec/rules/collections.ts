import { type Rule } from './rule.ts'

/** Collections have names of their own, also where a data set has several. */
export const collectionsRule: Rule = {
  name: 'collections',
  reads: ['data'],
  check({ data }, report) {
    const seen = new Set(data.flatMap(({ collection, collections }) => (collections === undefined ? collection : [])))
    for (const [i, { collections = [] }] of data.entries()) {
      const twice = collections.find((name) => seen.has(name) || !seen.add(name))
      if (twice !== undefined) report(['data', i, 'collections'], `"${twice}" is the name of several collections`)
    }
  },
}
