import { InvalidArgumentError } from 'commander'
import { maxNameLength } from '../../run/agents/limits.ts'

/** Parses the name of an agent: something that can be seen, and nothing that cannot. */
export function agentName(text: string): string {
  if (text.trim() !== '' && text.length <= maxNameLength && !/\p{C}/u.test(text)) return text
  throw new InvalidArgumentError(`It must have 1 to ${maxNameLength} printable characters.`)
}
