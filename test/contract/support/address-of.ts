import { type Running } from '../../../bench/start/program.ts'

/** An address that a program has printed on stderr. */
export async function addressOf({ says }: Running, name: 'live' | 'metrics'): Promise<string> {
  const [, rest = ''] = (await says(`${name}: http://`)).split(`${name}: http://`)
  const [address = ''] = rest.includes('\n') ? rest.split('\n') : []
  if (address === '') throw new Error(`No address in ${rest}`)
  return `http://${address}`
}
