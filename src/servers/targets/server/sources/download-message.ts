/**
 * What the download process sends. In a file of its own: an import of a type alone still runs the file it comes from,
 * and that process starts to download when it is run.
 */
export type DownloadMessage =
  | { readonly kind: 'answered' }
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'failed'; readonly reason: string }
