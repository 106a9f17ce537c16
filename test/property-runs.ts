import { configureGlobal } from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many values a property is tried with: more in the full run. */
    propertyRuns: number
  }
}

export const propertyRuns = inject('propertyRuns')

configureGlobal({ numRuns: propertyRuns })
