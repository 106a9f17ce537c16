import { type Json, type Path } from '../../core/json.ts'
import { groupDigits } from '../../core/quantities.ts'
import { TooLarge } from '../../language/issues.ts'
import { deepestSpec } from '../parse/parse-json.ts'

/** A short text can expand to very much: parameters that hold one another twice, nested lists, rows of long bodies. */
export const maxValues = 1_000_000

/** Cost of a list or an object on top of its elements: validating and compiling it takes so much longer than a number. */
const costOfContainer = 8

/** Letters of a text that cost as much as one number. */
const lettersPerValue = 16

/** Maximum depth of nested expressions, including those of the parameters that they use. */
const maxNesting = 400

type Size = { readonly values: number; readonly depth: number }

const costOfText = (text: string): number => Math.floor(text.length / lettersPerValue)

/** Limits the size that one file may expand to, over all of its rows. It is spent while the file is folded. */
export class FoldBudget {
  #left = maxValues
  #nesting = 0
  /** Folded values share their parts, so each part is measured once. */
  readonly #sizes = new WeakMap<object, Size>()

  /** @throws {TooLarge} when nothing is left. */
  spend(values: number, path: Path): void {
    this.#left -= values
    if (this.#left < 0) throw tooMuch(path)
  }

  /** Spends the size of a value with all its parts. */
  spendOn(node: Json, path: Path): void {
    this.spend(this.measure(node, path).values, path)
  }

  /** @throws {TooLarge} for a value that is too large or too deep. */
  measure(node: Json, path: Path): Size {
    if (typeof node === 'string') return { values: 1 + costOfText(node), depth: 0 }
    if (typeof node !== 'object' || node === null) return { values: 1, depth: 0 }
    const known = this.#sizes.get(node)
    if (known) return known
    let values = 1 + costOfContainer
    let depth = 0
    for (const [key, item] of Object.entries(node)) {
      const size = this.measure(item, path)
      values += costOfText(key) + size.values
      depth = Math.max(depth, 1 + size.depth)
      if (values > maxValues) throw tooMuch(path)
    }
    if (depth > deepestSpec) throw new TooLarge(path, `expands to more than ${deepestSpec} levels`)
    const size = { values, depth }
    this.#sizes.set(node, size)
    return size
  }

  /** @throws {TooLarge} before the call stack overflows. */
  nested<Made>(path: Path, make: () => Made): Made {
    if (this.#nesting >= maxNesting) throw new TooLarge(path, `expands to more than ${maxNesting} levels`)
    this.#nesting += 1
    const made = make()
    this.#nesting -= 1
    return made
  }
}

const tooMuch = (path: Path): TooLarge =>
  new TooLarge(
    path,
    `expands to more than ${groupDigits(maxValues)} values over all rows; a list or an object counts as ${costOfContainer} more, a text by its length`,
  )
