import { type RunningProgram } from './program.ts'

/** An address that a program has printed on stderr. */
export async function addressOf(program: RunningProgram, name: 'live' | 'metrics'): Promise<string> {
  let text = ''
  program.child.stderr?.on('data', (more: string) => void (text += more))
  await program.says(`${name}: http://`)
  await program.says('\n')
  const [, address] = new RegExp(`^${name}: (\\S+)$`, 'm').exec(text) ?? []
  if (address === undefined) throw new Error(`No address in ${text}`)
  return address
}
