import { Command } from 'commander'
import { formatQuantity } from '../../core/quantities.ts'
import { type Announcement } from '../../run/agents/messages.ts'
import { type CliContext, printJson } from '../cli-context.ts'
import { addOptions, type Flags } from '../options/option.ts'
import { listFormatOption } from '../options/output-options.ts'
import { queueOption, requireQueue } from '../options/queue-option.ts'

const options = [queueOption, listFormatOption]

export function agentsCommand(cli: CliContext): Command {
  const command = new Command('agents').description('List the agents that wait for runs or work for one')
  return addOptions(command, options).action(async (flags: Flags<typeof options>) => {
    const queue = requireQueue(flags)
    const { connectRedis } = await import('../../run/agents/redis.ts')
    const { listAgents } = await import('../../run/agents/list-agents.ts')
    await using redis = await connectRedis(queue)
    const agents = await listAgents(redis.client)
    if (flags.format === 'json')
      return printJson(
        agents.map(({ name, threads, version, nodeMajor, run }) => ({ name, threads, version, nodeMajor, run })),
        cli,
      )
    if (agents.length === 0) cli.printStatus('no agents; start them with `mongo-perf agent --queue …`\n')
    cli.printLines(agents.map((agent) => ({ text: describeAgent(agent), style: 'plain' })))
  })
}

const describeAgent = ({ name, threads, version, nodeMajor, run }: Announcement): string =>
  `${name}: ${formatQuantity(threads, 'thread')}, mongo-perf ${version}, Node ${nodeMajor}, ${run === null ? 'idle' : `works for the run ${run}`}`
