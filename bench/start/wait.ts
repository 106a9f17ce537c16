import { systemClock } from '../../src/core/clock.ts'

/** How long servers and processes may live on after the program that started them: seconds, and many times as long on a busy machine. */
export const soonMs = 60_000

/** Looks again and again, for so long at most, and tells whether it came true. Where we stood still meanwhile, we look once more. */
export async function comesTrue(look: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = systemClock.now() + withinMs
  while (systemClock.now() < end) {
    if (await look()) return true
    await systemClock.sleep(50)
  }
  return look()
}
