import { arch, platform, release, type } from 'node:os'
import { type Document } from 'bson'
import { toolVersion } from '../../core/versions.ts'
import { startLogin } from './log-in.ts'
import { type ConnectionSettings } from './settings.ts'

/** What comes first on a connection: introduces the client, and logs in. */
export async function shakeHands(
  command: (command: Document) => Promise<Document>,
  { appName, login }: Pick<ConnectionSettings, 'appName' | 'login'>,
): Promise<void> {
  const started = login && startLogin(login)
  const introduction = { hello: 1, client: { application: { name: appName }, ...describeClient() } }
  const reply = await command({ ...introduction, ...started?.hello })
  // An arbiter holds no users.
  if (reply['arbiterOnly'] !== true) await started?.finish(reply, command)
}

const describeClient = (): Document => ({
  driver: { name: 'mongo-perf', version: toolVersion() },
  os: { type: type(), name: platform(), architecture: arch(), version: release() },
  platform: `Node.js ${process.version}`,
})
