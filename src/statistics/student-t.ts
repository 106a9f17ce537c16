/** Student's t distribution, for any number of degrees of freedom above 0: Welch's are no whole numbers. */

/**
 * How likely a value at least as far from 0 as `t` is, on either side: P(|T| ≥ |t|).
 * Formula: I(ν / (ν + t²); ν/2, 1/2), NIST Digital Library of Mathematical Functions (DLMF) 8.17, Abramowitz and Stegun 26.7.1 and 26.5.27.
 * @param t Any number, also ±Infinity.
 * @param degreesOfFreedom Above 0.
 * @returns 0 to 1.
 */
export function tailOfT(t: number, degreesOfFreedom: number): number {
  const square = t ** 2 / degreesOfFreedom
  return incompleteBeta(1 / (1 + square), 1 / (1 + 1 / square), degreesOfFreedom / 2, 1 / 2)
}

/**
 * The value that |T| reaches or exceeds with a probability of `level`: with 0.05, half the width of a 95 % interval in standard errors.
 * Newton's method from 0: the tail is convex there, so every step ends short of the value, and none can overshoot.
 * @param level Above 0 and below 1.
 * @param degreesOfFreedom Above 0.
 * @throws {RangeError} A level outside of its range.
 */
export function criticalValueOfT(level: number, degreesOfFreedom: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`A level is above 0 and below 1, not ${level}`)
  let t = 0
  for (;;) {
    const step = (tailOfT(t, degreesOfFreedom) - level) / (2 * density(t, degreesOfFreedom))
    if (!(step > t * relativePrecision)) return t
    t += step
  }
}

const relativePrecision = 1e-12

function density(t: number, degreesOfFreedom: number): number {
  const exponent = -(degreesOfFreedom + 1) / 2
  const logScale = Math.log(degreesOfFreedom) / 2 + logBeta(degreesOfFreedom / 2, 1 / 2)
  return Math.exp(exponent * Math.log1p(t ** 2 / degreesOfFreedom) - logScale)
}

/** I(x; a, b). The rest `y` is 1 - x: it is handed in because the difference has no digits left where x is nearly 1. */
function incompleteBeta(x: number, y: number, a: number, b: number): number {
  if (x === 0 || y === 0) return x
  // The fraction converges fast on this side of the mean; the other side is the mirror image (DLMF 8.17.4).
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(y, x, b, a)
  const front = Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b))
  return (front / a) * betaFraction(x, a, b)
}

/** 1 / (1 + d₁ / (1 + d₂ / …)) of DLMF 8.17.22, by the modified Lentz method (I. J. Thompson and A. R. Barnett, Journal of Computational Physics 64, 1986). */
function betaFraction(x: number, a: number, b: number): number {
  let numerator = 1
  let denominator = 0
  let value = 1
  for (let i = 1; i < maxTerms; i++) {
    const term = betaTerm(i, x, a, b)
    denominator = 1 / (1 + term * denominator)
    numerator = 1 + term / numerator
    const factor = numerator * denominator
    value *= factor
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return 1 / value
}

/** Tens are enough for the degrees of freedom of a comparison. */
const maxTerms = 10_000

function betaTerm(i: number, x: number, a: number, b: number): number {
  const m = Math.floor(i / 2)
  return i % 2 === 0
    ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** ln Γ(x) of x > 0: Stirling's series (DLMF 5.11.1), with Γ(x + 1) = x Γ(x) up to where four of its terms give all digits. */
function logGamma(x: number): number {
  let product = 1
  let z = x
  for (; z < 15; z++) product *= z
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / z ** 2) / z ** 2) / z ** 2) / z
  return (z - 1 / 2) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - Math.log(product)
}
