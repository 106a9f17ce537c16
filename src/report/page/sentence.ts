/** Parts of a caption as a sentence of their own. */
export const sentence = (parts: string): string =>
  parts === '' ? '' : `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`
