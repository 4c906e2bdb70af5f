import type { Language } from '../../../index/facts/languages.ts'
import type { Syntax } from './syntax.ts'

/** How calls are read in a language; undefined where only its symbols are. */
export async function loadSyntax(language: Language): Promise<Syntax | undefined> {
  switch (language) {
    case 'csharp':
      return (await import('./languages/csharp.ts')).csharp
    case 'rust':
      return (await import('./languages/rust.ts')).rust
    case 'go':
      return (await import('./languages/go.ts')).go
    case 'python':
      return (await import('./languages/python.ts')).python
    case 'java':
      return (await import('./languages/java.ts')).java
    case 'kotlin':
      return (await import('./languages/kotlin.ts')).kotlin
    case 'c':
      return (await import('./languages/cpp.ts')).c
    case 'cpp':
      return (await import('./languages/cpp.ts')).cpp
    case 'php':
      return (await import('./languages/php.ts')).php
    case 'ruby':
      return (await import('./languages/ruby.ts')).ruby
    case 'swift':
      return (await import('./languages/swift.ts')).swift
    default:
      return undefined
  }
}
