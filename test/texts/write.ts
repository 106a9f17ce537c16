import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { formatGolden, goldenFile, readGolden } from './golden.ts'

/** Runs tests, by default those of units and contracts, and writes what was said in them into the golden file. */
const folder = mkdtempSync(path.join(tmpdir(), 'mongo-perf-texts-'))
const recording = path.join(folder, 'texts.jsonl')
writeFileSync(recording, '')
try {
  const given = process.argv.slice(2)
  const tests = given.length === 0 ? ['--project', 'unit', '--project', 'contract'] : given
  const env = { ...process.env, MONGO_PERF_TEXTS: recording }
  const { status } = spawnSync('npx', ['vitest', 'run', '--reporter', 'dot', ...tests], { stdio: 'inherit', env })
  process.exitCode = status ?? 1
  const texts = readGolden()
  const written = new Map<string, string>()
  for (const line of readFileSync(recording, 'utf8').split('\n').slice(0, -1)) {
    const [code, text] = JSON.parse(line) as [string, string]
    if ((written.get(code) ?? text) !== text) {
      process.stderr.write(`Two texts under "${code}":\n${written.get(code)}\n${text}\n`)
      process.exitCode = 1
    }
    written.set(code, text)
  }
  writeFileSync(goldenFile, formatGolden(new Map([...texts, ...written])))
} finally {
  rmSync(folder, { recursive: true })
}
