import { placeKey, Stream } from '../../core/random.ts'

/** Random numbers of the shell, under its names. They are not the shell's numbers, but the same in every import. */
export type ShellRandom = {
  readonly rand: () => number
  readonly globals: object
}

/** `Random` of the shell, from a seed that a test may set. */
export function createRandom(): ShellRandom {
  let stream = new Stream(placeKey(0, 'shell')).at(0)
  const seed = (given: unknown): void => {
    const number = Math.trunc(Number(given ?? 0))
    stream = new Stream(placeKey(Number.isFinite(number) ? Math.abs(number) : 0, 'shell')).at(0)
  }
  const rand = (): number => stream.float()
  const randInt = (from: number, below?: number): number =>
    below === undefined ? Math.floor(rand() * from) : from + Math.floor(rand() * (below - from))
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - rand())) * Math.cos(2 * Math.PI * rand())
  return {
    rand,
    globals: {
      setRandomSeed: seed,
      srand: seed,
      setRandomFixtureSeed: seed,
      rand,
      randInt,
      genExp: (mean: number) => -Math.log(1 - rand()) * mean,
      genNormal: (mean: number, deviation: number) => mean + deviation * normal(),
    },
  }
}
