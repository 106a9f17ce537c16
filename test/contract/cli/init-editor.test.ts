import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { workplace, type Workplace } from '../support/program.ts'

/** A project in which the package is installed, as far as the command looks. */
async function aProject(files: Readonly<Record<string, string>> = {}): Promise<Workplace> {
  const place = await workplace()
  const given = { 'node_modules/mongo-perf/fixtures/spec.schema.json': '{}', ...files }
  for (const [name, text] of Object.entries(given)) {
    await mkdir(path.dirname(path.join(place.folder, name)), { recursive: true })
    await writeFile(path.join(place.folder, name), text)
  }
  return place
}

const read = (place: Workplace, name: string): Promise<string> => readFile(path.join(place.folder, name), 'utf8')

const init = ['init', '--editor']

describe('init --editor', () => {
  test('writes settings, tasks and snippets that refer to the installed package', async () => {
    await using place = await aProject()
    const { stdout, stderr, code } = await place.run(init)
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
    expect(stderr).toSay('init-editor')
    expect(await readdir(path.join(place.folder, '.vscode'))).toEqual([
      'mongo-perf.code-snippets',
      'settings.json',
      'tasks.json',
    ])
    expect(JSON.parse(await read(place, '.vscode/settings.json'))).toMatchObject({
      'json.schemas': [
        {
          fileMatch: ['mongo-perf.json', '*.mongo-perf.json'],
          url: './node_modules/mongo-perf/fixtures/spec.schema.json',
        },
      ],
    })
    expect(await read(place, '.vscode/tasks.json')).toContain('"./node_modules/mongo-perf/dist/cli/main.js", "check"')
    expect((await place.run(init)).stderr).toSay('init-editor-again')
  })

  test('leaves files of the user as they are, and prints what they lack', async () => {
    const settings =
      '{\n  // Mine.\n  "editor.tabSize": 8,\n  "files.associations": { "mongo-perf.json": "jsonc" },\n}\n'
    const tasks = '{ "version": "2.0.0", "tasks": [{ "label": "mine" }] }'
    await using place = await aProject({ '.vscode/settings.json': settings, '.vscode/tasks.json': tasks })
    const { stderr, code } = await place.run(init)
    expect(code).toBe(0)
    expect(stderr).toSay('init-editor-existing')
    expect(await read(place, '.vscode/settings.json')).toBe(settings)
    expect(await read(place, '.vscode/tasks.json')).toBe(tasks)
  })

  test('prints all of it where a file of the user is no JSON', async () => {
    await using place = await aProject({ '.vscode/settings.json': '{ "editor.tabSize": ' })
    const { stderr } = await place.run(init)
    expect(stderr).toContain('.vscode/settings.json exists, and stays as it is. Add to it:\n{\n  "json.schemas": [')
    expect(await read(place, '.vscode/settings.json')).toBe('{ "editor.tabSize": ')
  })
})

describe('init --editor is refused with a hint, and writes nothing,', () => {
  test.each([
    { what: 'with a file', args: [...init, 'orders.json'], text: 'init-editor-with-file' },
    { what: 'with what a spec is to be', args: [...init, '--from', 'a.b'], text: 'init-editor-with-spec' },
    { what: 'with --force', args: [...init, '--force'], text: 'init-editor-with-force' },
  ])('$what', async ({ args, text }) => {
    await using place = await aProject()
    const ended = await place.run(args)
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toSay(text)
    expect(await readdir(place.folder)).not.toContain('.vscode')
  })

  test('where the package is not installed', async () => {
    await using place = await workplace()
    const { stderr, code } = await place.run(init)
    expect(code).toBe(2)
    expect(stderr).toSay('init-editor-not-installed')
    expect(await readdir(place.folder)).not.toContain('.vscode')
  })

  test('where a file stands in place of the folder', async () => {
    await using place = await aProject({ '.vscode': 'mine' })
    const { stderr, code } = await place.run(init)
    expect(code).toBe(2)
    expect(stderr).toSay('init-editor-unwritable')
    expect(await read(place, '.vscode')).toBe('mine')
  })
})
