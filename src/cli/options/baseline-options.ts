import { Option } from 'commander'

/** The option `--baselines`. */
export const baselinesOption = (): Option =>
  new Option('--baselines <folder>', 'where baselines and their histories are, to be committed').default(
    'mongo-perf-baselines',
  )

/** The option `--strict`. */
export const strictOption = (): Option =>
  new Option('--strict', 'end with exit code 5 also where a figure has no clear verdict, or is missing on one side')

/** The options of `run` on baselines, as parsed. */
export type BaselineFlags = {
  readonly baseline?: string
  readonly saveBaseline?: string
  readonly saveHistory?: string
  readonly baselines: string
  readonly strict?: boolean
}
