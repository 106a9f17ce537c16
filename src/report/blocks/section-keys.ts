/** Keys of sections, by which documents know them. */
export const sectionKeys = {
  /** The warnings about the whole run. Existing documents contain this key. */
  warnings: 'doubts',
  description: 'description',
  environment: 'base-instance',
  links: 'links',
  findRate: 'rates',
  findCache: 'caches',
  findPeak: 'peaks',
  pairs: 'pairs',
  shards: 'shards',
  agents: 'agents',
  faults: 'faults',
  charts: 'charts',
  analysis: 'analysis',
  keyTakeaways: 'key-takeaways',
  thresholds: 'thresholds',
  checks: 'checks',
  setUp: 'set-up',
  /** The warnings about the rows. */
  trust: 'trust',
  /** The line on how the figures were measured. */
  measured: 'measured',
} as const
