import type { Language } from '../languages.ts'
import type { LanguageRules } from './rules.ts'

/** The rules of a language that tree-sitter parses. */
export async function loadRules(language: Language): Promise<LanguageRules> {
  switch (language) {
    case 'python':
      return (await import('./languages/python.ts')).python
    case 'go':
      return (await import('./languages/go.ts')).go
    case 'rust':
      return (await import('./languages/rust.ts')).rust
    case 'java':
      return (await import('./languages/java.ts')).java
    case 'kotlin':
      return (await import('./languages/kotlin.ts')).kotlin
    case 'c':
      return (await import('./languages/c.ts')).c
    case 'cpp':
      return (await import('./languages/cpp.ts')).cpp
    case 'csharp':
      return (await import('./languages/csharp.ts')).csharp
    case 'ruby':
      return (await import('./languages/ruby.ts')).ruby
    case 'php':
      return (await import('./languages/php.ts')).php
    case 'swift':
      return (await import('./languages/swift.ts')).swift
    default:
      throw new Error(`No grammar for ${language}`)
  }
}
