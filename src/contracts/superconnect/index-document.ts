/** One file of the index and the overall counts, as our own contract returns them. */
interface Indexed {
  readonly path: string
  readonly exports: readonly string[]
  readonly tags: readonly string[]
  readonly size: number
  readonly modified: string
}

interface Counted {
  readonly totalFiles: number
  readonly totalExports: number
  readonly byTag: Readonly<Record<string, number>>
  readonly generatedAt: string
}

/** Returns the whole index in the schema of the document's appendix. */
export const indexDocument = (repoHash: string, status: Counted, files: readonly Indexed[]) => ({
  repo_hash: repoHash,
  generated_at: status.generatedAt,
  files: files.map(({ path, exports, tags, size, modified }) => ({
    path,
    exports: [...exports],
    tags: [...tags],
    size_bytes: size,
    last_modified: modified,
  })),
  statistics: { total_files: status.totalFiles, total_exports: status.totalExports, by_tag: { ...status.byTag } },
})
