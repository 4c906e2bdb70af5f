// The shapes that the document of superconnect prints.

export type QueryIndexParameters = {
  query: {
    type: 'exports' | 'tag' | 'pathPrefix' | 'listAll',
    value?: string  // Required for 'exports', 'tag', 'pathPrefix'
  },
  limit?: number  // Default: 50, Max: 200
}

export type QueryIndexResult = {
  files: Array<{
    path: string,           // Relative path from repo root
    exports?: string[],     // Exported identifiers (if available)
    tags?: string[],        // Framework/component tags
    size_bytes?: number,    // File size
    last_modified?: string  // ISO 8601 timestamp
  }>,
  total_matches: number,    // Total before limit applied
  truncated: boolean        // True if results were limited
}

export type ReadFileParameters = {
  path: string,      // Relative path from repo root
  maxBytes?: number  // Default: 100KB, Max: 500KB
}

export type ReadFileResult = {
  path: string,
  content: string,      // File contents (UTF-8)
  size_bytes: number,
  truncated: boolean,   // True if content exceeds maxBytes
  encoding: 'utf-8'
}

export type ListFilesParameters = {
  directory: string,  // Relative path from repo root
  pattern?: string,   // Glob pattern (e.g., "*.tsx")
  limit?: number      // Default: 50, Max: 100
}

export type ListFilesResult = {
  directory: string,
  files: Array<{
    name: string,      // Filename only (no path)
    path: string,      // Full relative path
    type: 'file' | 'directory',
    size_bytes?: number  // Only for files
  }>,
  total: number,       // Total items before limit
  truncated: boolean
}

export type ErrorResponse = {
  error: {
    code: string,        // Error code (e.g., "FILE_NOT_FOUND")
    message: string,     // Human-readable description
    details?: object     // Additional context
  }
}

export type RepoIndex = {
  repo_hash: string,        // Stable hash for cache invalidation
  generated_at: string,     // ISO 8601 timestamp
  files: Array<{
    path: string,           // Relative from repo root
    exports: string[],      // Top-level exports
    tags: string[],         // ["react-component", "typescript", etc.]
    size_bytes: number,
    last_modified: string
  }>,
  statistics: {
    total_files: number,
    total_exports: number,
    by_tag: Record<string, number>
  }
}
