import { Option } from 'commander'

const formats = ['md', 'json', 'csv', 'github', 'ycsb'] as const
/** A format of `--format`. */
export type Format = (typeof formats)[number]

/** The option `--format`. */
export const formatOption = (): Option =>
  new Option(
    '--format <format>',
    'what is printed; "github" is for the summary of a CI job, "ycsb" has lines like those of YCSB',
  )
    .choices(formats)
    .default('md')
