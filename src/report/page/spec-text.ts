import { element } from './element.ts'

/** The effective spec as text, when the reader asks for it. */
export function showSpec(place: HTMLElement, spec: unknown): void {
  const text = element('pre', { tabindex: '0' }, JSON.stringify(spec, null, 2))
  place.append(element('details', {}, element('summary', {}, 'The spec with its profile and settings applied'), text))
}
