import { execSync } from 'node:child_process'
import path from 'node:path'
import { bundleCode } from './bundle.ts'
import { isFresh } from './fresh.ts'

// npm runs it in a clone after an installation, and before `npx mongo-perf`, which shall start at once.
const { npm_command: command, INIT_CWD: workingFolder = '' } = process.env
const isStart = command === 'exec'
if (!isStart || !isFresh('dist/cli/main.js')) await bundleCode()

// Installed from a folder or from Git, the clone is the library of an app.
const isOfApp = path.relative('', workingFolder).startsWith('..')
if (isOfApp && !isStart) execSync('npm run types', { stdio: 'inherit' })
