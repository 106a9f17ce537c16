import * as fc from 'fast-check'

/** Checks what holds for all that is drawn: arbitraries, and last what takes a value of each. */
export const forAll = <Drawn extends [unknown, ...unknown[]]>(...given: Parameters<typeof fc.property<Drawn>>): void =>
  fc.assert(fc.property<Drawn>(...given))
