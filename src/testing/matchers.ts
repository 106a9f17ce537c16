import { type Expectation } from './expectations/judgement.ts'
import { expectations, type MatcherName } from './expectations/index.ts'
import { type Measurement } from './measurement.ts'
import { textOf } from './text.ts'

/** What an expectation is given beside the measurement. */
export type GivenTo<Name extends MatcherName> =
  (typeof expectations)[Name] extends Expectation<infer Given> ? Given : never

/** What a matcher answers to Vitest. */
export type MatcherAnswer = { readonly pass: boolean; readonly message: () => string }

/** Judges one expectation; one about which nothing can be said passes, unless the measurement is strict. */
export function judge<Name extends MatcherName>(
  name: Name,
  measurement: Measurement,
  given: GivenTo<Name>,
): MatcherAnswer & { readonly verdict: string } {
  const expectation = expectations[name] as Expectation<readonly unknown[]>
  const { verdict, because, advice } = expectation(measurement, ...given)
  if (advice !== undefined) process.stderr.write(`${measurement.name} ${because} ${advice}\n`)
  return {
    verdict,
    pass: verdict === 'holds' || (verdict === 'cannot tell' && !measurement.strict),
    message: () => [`${measurement.name} ${because}`, textOf(measurement)].filter((part) => part !== '').join('\n'),
  }
}

type Matcher = (measurement: unknown, ...given: readonly never[]) => MatcherAnswer

/** For `expect.extend`. */
export const matchers = Object.fromEntries(
  Object.keys(expectations).map((name): [string, Matcher] => [
    name,
    (measurement, ...given) => judge(name as MatcherName, measurement as Measurement, given as never),
  ]),
) as Readonly<Record<MatcherName, Matcher>>

/** The expectations of a measurement for a test runner without matchers, such as `node:test`: each throws when it is missed. */
export type Verification = { readonly [Name in MatcherName]: (...given: GivenTo<Name>) => void }

/**
 * Verifies a measurement: `verify(measurement).toHaveP99Below(20)`.
 * @throws {Error} with the figures, when an expectation is missed.
 */
export const verify = (measurement: Measurement): Verification =>
  Object.fromEntries(
    Object.keys(expectations).map((name) => [
      name,
      (...given: readonly unknown[]) => {
        const { pass, message } = judge(name as MatcherName, measurement, given as never)
        if (!pass) throw new Error(message())
      },
    ]),
  ) as Verification
