import { type Bench } from './benchmark.ts'
import { apart, falseRates, inTurns, otherLoads } from './other-load.ts'
import {
  familyRate,
  historyRates,
  pairedRates,
  type Rates,
  scenarios,
  startRates,
  turnNoises,
  unpairedRates,
  untilClear,
  untilClearByStarts,
} from './simulated.ts'

const comparisons = 1000
const rounds = 10
const maxRounds = 40
const [pairs, maxStarts] = [2, 14]
const [pairsOfFew, fewStarts] = [12, 3]
const effects = [0, 0.02, 0.05, 0.1, 0.5]
const rows = 14
const values = 30
const since = 10

/** How often verdicts are right: simulated comparisons with a known effect, of the same seeds as the tests. Measures nothing on this machine. */
export const comparisonsBench: Bench = async ({ print }) => {
  const heading = `| Noise | B is higher by | higher | lower | same | cannot tell |`
  print(`${comparisons} comparisons a line, ${rounds} paired rounds each:\n\n${heading}\n|---|--:|--:|--:|--:|--:|`)
  for (const scenario of scenarios)
    for (const effect of effects)
      print(formatLine(scenario.name, effect, pairedRates(scenario, effect, comparisons, rounds)))

  print(`\nUntil clear, from 6 to ${maxRounds} rounds:\n\n${heading} median rounds |\n|---|--:|--:|--:|--:|--:|--:|`)
  for (const scenario of scenarios)
    for (const effect of effects) {
      const { rates, rounds: median } = untilClear(scenario, effect, comparisons, maxRounds)
      print(`${formatLine(scenario.name, effect, rates)} ${median} |`)
    }

  print(
    `\nAlternating stretches, ${pairs} pairs a start, until clear, from 6 to ${maxStarts} starts:\n\n${heading} median starts |`,
  )
  print('|---|--:|--:|--:|--:|--:|--:|')
  for (const noise of turnNoises)
    for (const effect of effects) {
      const { rates, rounds: median } = untilClearByStarts(noise, effect, comparisons, { starts: maxStarts, pairs })
      print(`${formatLine(noise.name, effect, rates)} ${median} |`)
    }

  print(`\nAlternating stretches, ${fewStarts} starts of ${pairsOfFew} pairs:\n\n${heading}\n|---|--:|--:|--:|--:|--:|`)
  for (const noise of turnNoises)
    for (const effect of effects)
      print(
        formatLine(
          noise.name,
          effect,
          startRates(noise, effect, comparisons, { starts: fewStarts, pairs: pairsOfFew }),
        ),
      )

  print(`\nTwo files, ${rounds} rounds each, not paired:\n\n${heading}\n|---|--:|--:|--:|--:|--:|`)
  for (const scenario of scenarios)
    for (const effect of [0, 0.1])
      print(formatLine(scenario.name, effect, unpairedRates(scenario, effect, comparisons, rounds)))

  print(
    `\nOther programs that come and go, in ${otherLoads.length} ways; no effect, higher or lower:\n\n| Measured in | throughput, mean | worst | p99, mean | worst |\n|---|--:|--:|--:|--:|`,
  )
  for (const way of [...inTurns, apart]) {
    const rates = otherLoads.map((load) => falseRates(way, load, comparisons))
    const cells = (['throughput', 'p99'] as const).flatMap((figure) => {
      const ofFigure = rates.map((rate) => rate[figure])
      return [ofFigure.reduce((sum, rate) => sum + rate, 0) / ofFigure.length, Math.max(...ofFigure)]
    })
    print(`| ${[way.name, ...cells.map((rate) => percent(rate))].join(' | ')} |`)
  }

  print(
    `\n${rows} rows without an effect, ${rounds} paired rounds:\n\n| Noise | higher or lower in any row |\n|---|--:|`,
  )
  for (const scenario of scenarios)
    print(`| ${scenario.name} | ${percent(familyRate(scenario, rows, comparisons, rounds))} |`)

  print(
    `\nHistories of ${values} values, the last ${since} changed:\n\n| Noise | change | any change point | within 2 of the true one |`,
  )
  print('|---|--:|--:|--:|')
  for (const scenario of scenarios)
    for (const effect of [0, 0.1]) {
      const { any, near } = historyRates(scenario, effect, { histories: comparisons, values, since })
      const ofTrue = effect === 0 ? '' : percent(near)
      print(`| ${scenario.name} | ${percent(effect, 0)} | ${percent(any)} | ${ofTrue} |`)
    }
}

function formatLine(name: string, effect: number, { higher, lower, same, 'cannot tell': unclear }: Rates): string {
  return `| ${[name, percent(effect, 0), ...[higher, lower, same, unclear].map((rate) => percent(rate))].join(' | ')} |`
}

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`
