import { runProgram } from '../../servers/child-process.ts'

const enoughMs = 5000

/** The commit of the working directory: "abc1234", or "abc1234-dirty" with changes. Null where there is no Git, or no repository. */
export async function currentCommit(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const args = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*']
  const end = await runProgram('git', args, { env, timeoutMs: enoughMs, signal: new AbortController().signal })
  return end.ok && end.stdout.trim() !== '' ? end.stdout.trim() : null
}
