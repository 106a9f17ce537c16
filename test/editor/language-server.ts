import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { typescript } from './typescript.ts'

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** Both count from 0. */
export type Position = { readonly line: number; readonly character: number }

type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** The language server of the installed compiler, as editors start it. */
export class LanguageServer {
  readonly #process = spawn(process.execPath, [typescript, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  readonly #pending = new Map<number, Pending>()
  #requests = 0
  #received = Buffer.alloc(0)

  private constructor() {
    this.#process.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#process.once('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('The language server has ended'))
    })
  }

  static async start(folder: string): Promise<LanguageServer> {
    const server = new LanguageServer()
    await server.#request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    })
    server.#send({ method: 'initialized', params: {} })
    return server
  }

  async open(file: string): Promise<void> {
    const textDocument = {
      uri: pathToFileURL(file).href,
      languageId: 'typescript',
      version: 1,
      text: await readFile(file, 'utf8'),
    }
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } })
  }

  /** What is shown over a place of an open file, as Markdown. */
  async hover(file: string, position: Position): Promise<string> {
    const textDocument = { uri: pathToFileURL(file).href }
    const hover = await this.#request('textDocument/hover', { textDocument, position })
    return (hover as { readonly contents: { readonly value: string } } | null)?.contents.value ?? ''
  }

  /** What is offered at a place of an open file. */
  async completions(file: string, position: Position): Promise<readonly string[]> {
    const textDocument = { uri: pathToFileURL(file).href }
    const list = await this.#request('textDocument/completion', { textDocument, position })
    return (
      (list as { readonly items: readonly { readonly label: string }[] } | null)?.items.map(({ label }) => label) ?? []
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit')
    await this.#request('shutdown', undefined)
    this.#send({ method: 'exit' })
    await ended
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#requests
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      const bodyAt = this.#received.indexOf('\r\n\r\n') + 4
      const [, length] = /Content-Length: (\d+)/i.exec(this.#received.subarray(0, bodyAt).toString()) ?? []
      const end = bodyAt + Number(length)
      if (length === undefined || this.#received.length < end) return
      const body = this.#received.subarray(bodyAt, end).toString()
      this.#received = this.#received.subarray(end)
      this.#handle(JSON.parse(body) as Message)
    }
  }

  #handle({ id, method, params, result, error }: Message): void {
    if (id === undefined) return
    // The server asks for settings, and registers what it watches: it gets its defaults.
    if (method !== undefined) return this.#send({ id, result: params?.items?.map(() => null) ?? null })
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(new Error(error.message))
  }
}
