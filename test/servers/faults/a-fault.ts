import { type FaultSpec, faultSpec } from '../../../src/servers/faults/index.ts'

/** A fault as a spec has it, read. */
export const aFault = (parts: { readonly [key: string]: unknown }): FaultSpec =>
  faultSpec.parse({ kind: 'kill', atSeconds: 0, ...parts })
