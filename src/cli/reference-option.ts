import { Option } from 'commander'

export const referenceOption = (): Option =>
  new Option('--reference', 'put the published figures that the spec names beside the measured ones')
