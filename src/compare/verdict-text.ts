import { type RatioInterval } from './estimate.ts'
import { type Finding } from './finding.ts'

/** One clause about B, such as "12 % higher (8.1 to 16 %), which is worse": it stands in a table, or after the name of B and a colon. */
export function textOf(finding: Finding): string {
  const text = clauseOf(finding)
  return finding.kind !== 'no verdict' && finding.pairing === 'unpaired' ? `${text}; rounds not paired` : text
}

function clauseOf(finding: Finding): string {
  switch (finding.kind) {
    case 'higher':
    case 'lower':
      return `${changeOf(finding.kind, finding.interval)}, which is ${finding.effect}`
    case 'same':
      return `the same within ${percent(finding.within)} %`
    case 'cannot tell':
      return `cannot tell (${sightOf(finding.couldHaveSeen)})`
    case 'no verdict':
      return `no verdict yet (${finding.moreRounds} more ${finding.moreRounds === 1 ? 'round' : 'rounds'} needed)`
  }
}

/** From here on, factors are easier to grasp than percentages: "98 % lower" and "99 % lower" are as far apart as 1 and 2. */
const smallestFactor = 2

function changeOf(kind: 'higher' | 'lower', { ratio, low, high }: RatioInterval): string {
  const factors = kind === 'higher' ? [ratio, low, high] : [1 / ratio, 1 / high, 1 / low]
  const isFactor = Math.max(ratio, 1 / ratio) >= smallestFactor
  const [estimate, from, to] = isFactor
    ? factors.map(twoDigits)
    : [ratio, ...(kind === 'higher' ? [low, high] : [high, low])].map((bound) => percent(Math.abs(bound - 1)))
  return isFactor
    ? `${kind} by a factor of ${estimate} (${from} to ${to})`
    : `${estimate} % ${kind} (${from} to ${to} %)`
}

function sightOf(effect: number): string {
  if (effect === Infinity) return 'so few rounds cannot show any effect'
  return effect + 1 < smallestFactor
    ? `could have seen ${percent(effect)} %`
    : `could have seen a factor of ${twoDigits(effect + 1)}`
}

const percent = (share: number): string => twoDigits(share * 100)

/** Whole numbers keep all their digits. */
const twoDigits = (value: number): string => (value >= 10 ? value.toFixed(0) : `${Number(value.toPrecision(2))}`)
