import { Option } from 'commander'

/** The option `--reference`. */
export const referenceOption = (): Option =>
  new Option('--reference', 'put the published figures that the spec names beside the measured ones')
