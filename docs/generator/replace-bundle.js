import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'

// Replaces the bundle in a moment: programs that start meanwhile, or run, never find an empty folder.
chmodSync('dist-new/cli/main.js', 0o755)
rmSync('dist-old', { recursive: true, force: true })
if (existsSync('dist')) renameSync('dist', 'dist-old')
renameSync('dist-new', 'dist')
rmSync('dist-old', { recursive: true, force: true })
