import { describe, expect, it } from 'vitest'
import { projectsOf } from './projects.ts'

const isServed = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)

const divided = (files: Readonly<Record<string, string>>) =>
  projectsOf(Object.keys(files), isServed, path => files[path])

describe('projectsOf', () => {
  it('gives one file of each project, and the files of none', () => {
    const files = {
      'tsconfig.json': '{ "include": ["src", "tests/**/*.ts"], /* but */ "exclude": ["src/old"], }',
      'src/b.ts': '',
      'src/a.tsx': '',
      'src/old/c.ts': '',
      'src/plain.js': '',
      'tests/deep/d.ts': '',
      'tests/e.tsx': '',
      'build.ts': '',
      'tools/tsconfig.json': '{ "extends": "../tsconfig.base.json" } // no include: everything',
      'tsconfig.base.json': '{ "compilerOptions": { "allowJs": true } }',
      'tools/run.js': '',
    }
    expect(divided(files)).toEqual({
      samples: ['src/a.tsx', 'tools/run.js'],
      loose: ['build.ts', 'src/old/c.ts', 'src/plain.js', 'tests/e.tsx'],
    })
  })

  it('follows what a configuration extends, and files that are listed', () => {
    const files = {
      'base/tsconfig.json': '{ "include": ["../app/src"] }',
      'app/tsconfig.json': '{ "extends": "../base/tsconfig", "files": ["./main.ts"] }',
      'app/src/a.ts': '',
      'app/main.ts': '',
      'app/other.ts': '',
      'loose.js': '',
    }
    expect(divided(files)).toEqual({ samples: ['app/main.ts'], loose: ['app/other.ts', 'loose.js'] })
  })

  it('leaves out what is installed', () => {
    const files = {
      'tsconfig.json': '{}',
      'a.ts': '',
      'node_modules/x/index.js': '',
      'p/node_modules/y/tsconfig.json': '{}',
    }
    expect(divided(files)).toEqual({ samples: ['a.ts'], loose: [] })
  })

  it('takes a configuration that cannot be read for one that includes everything', () => {
    expect(divided({ 'jsconfig.json': '{', 'a.js': '', 'b/c.ts': '' })).toEqual({ samples: ['a.js'], loose: [] })
  })
})
