import { type MadeSpec } from '../../sources/init/spec-of-collection.ts'
import { databaseOf } from '../../servers/targets/ownership.ts'
import { type InitFlags } from '../commands/init.ts'

/** The commands that run a new spec: on servers that it starts, and on the server that it was made from. */
export function nextSteps(
  file: string,
  { spec, starts }: Pick<MadeSpec, 'spec' | 'starts'>,
  { uri, allowRemote }: Pick<InitFlags, 'uri' | 'allowRemote'>,
): readonly string[] {
  // The URI itself may hold a password.
  const given = uri === undefined ? '' : " --uri 'mongodb://…'"
  const remote = allowRemote === true ? ' --allow-remote' : ''
  const steps = (options: string): readonly string[] => [
    `  npx mongo-perf check ${file}`,
    `  npx mongo-perf run ${file} --profile smoke${options}`,
    `  npx mongo-perf run ${file}${options}`,
  ]
  if (starts !== undefined)
    return [
      `next, on a ${starts} that mongo-perf starts on this machine and removes afterwards:`,
      ...steps(''),
      `or on the server that it was made from, in a database of its own, ${databaseOf(String(spec['name']))}:`,
      `  npx mongo-perf run ${file}${given || ' --target existing'}${remote}`,
    ]
  return spec['target'] === undefined
    ? ['next:', ...steps('')]
    : [
        `next, on the server that it was made from${given === '' ? ' (MONGO_PERF_URI)' : ''}:`,
        ...steps(`${given}${remote}`),
      ]
}
