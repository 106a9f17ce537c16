/** How often a limit may be called missed although it is kept. */
const errorRate = 0.05

/**
 * Whether so many of the rounds lie on one side of a limit that it cannot be chance: the sign test. If the true value were at the limit, each
 * round would lie on either side with the same probability, whatever the noise looks like.
 * @param rounds At least one.
 * @returns false for fewer than five rounds, of which even all may lie on one side by chance.
 */
export function isNoChance(onSide: number, rounds: number): boolean {
  let tail = 0
  for (let count = onSide; count <= rounds; count++) tail += binomial(rounds, count)
  return tail / 2 ** rounds <= errorRate
}

function binomial(n: number, k: number): number {
  let ways = 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i
  return ways
}
