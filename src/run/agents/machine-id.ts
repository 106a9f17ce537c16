import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

let known: string | undefined

/**
 * A digest that is the same for all processes of one machine. On Linux it is of the id that the kernel gives to its run, which
 * containers share as they share the CPUs; elsewhere of the name of the machine.
 */
export const machineId = (): string => (known ??= createHash('sha256').update(bootId()).digest('hex').slice(0, 16))

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    return hostname()
  }
}
