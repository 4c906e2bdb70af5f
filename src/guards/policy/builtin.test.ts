import { describe, expect, it } from 'vitest'
import { protectedPlace, protectedRoot, reservedOnWindows } from './builtin.ts'

const verdictOf = (path: string): string | undefined => protectedPlace(path)?.verdict

describe('protectedPlace', () => {
  it.each([
    '.git',
    '.git/config',
    '.git/hooks/post-checkout',
    '.git//config',
    'sub/.git/config',
    'a/b/.git',
    './.sage/./x',
    'src/../.sage/x',
    '.toolwright/state',
    '.hg/hgrc',
    '.jj/repo/config.toml',
  ])('SG-18: never lets a file tool change %s', path => {
    expect(verdictOf(path)).toBe('deny')
  })

  it.each([
    '.GIT/config',
    '.Git/hooks/pre-commit',
    '.git./config',
    '.git /config',
    '.git. . /config',
    '.git::$INDEX_ALLOCATION/config',
    '.git:stream',
    '.git\u200d/hooks/x',
    '.g\u200cit/config',
    '.\uFEFFgit/config',
    '.gi\u0131t/../.gıt/config',
    '.g\u0130t/config',
    '.s\u0430ge/x',
    '.ſage/x',
    '．git/config',
    'GIT~1/config',
    'git~2',
    'GI7EBA~1/config',
    'SAGE~1/x',
    '.git\\config',
    'sub\\.git\\hooks\\x',
    '.TOOLWRIGHT/x',
    'TOOLWR~1/x',
  ])('SG-18: sees through the alias %s', path => {
    expect(verdictOf(path)).toBe('deny')
  })

  it.each([
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.claude/settings.json',
    '.cursor/mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.zed/settings.json',
    '.windsurf/rules',
    '.continue/config.json',
    '.aider.conf.yml',
    '.mcp.json',
    'sub/mcp.json',
    '.roo/mcp.json',
    '.gitconfig',
    '.gitattributes',
    '.gitmodules',
    '.githooks/pre-commit',
    '.husky/pre-commit',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.npmrc',
    'packages/a/.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.yarn/releases/yarn.cjs',
    '.pnpmfile.cjs',
    '.ripgreprc',
    '.cargo/config.toml',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.envrc',
    '.config/fish/config.fish',
    '.tmux.conf',
    '.vimrc',
    '.exrc',
    '.github',
    '.github/workflows',
    '.github/workflows/x.yml',
    '.github/actions/a/action.yml',
    '.github/copilot-instructions.md',
    '.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    'CLAUDE.md',
    'docs/claude.md',
    'AGENTS.md',
    'GEMINI.md',
    '.cursorrules',
    '.clinerules',
    '.clinerules/a.md',
    '.windsurfrules',
    'toolwright.json',
    'x.code-workspace',
    '.ssh/authorized_keys',
    '.netrc',
    '.curlrc',
    '.VSCODE/tasks.json',
    '.vscode./tasks.json',
    '.vs\u200bcode/tasks.json',
    'VSCODE~1/tasks.json',
    'GITATT~1',
    '.npmrc::$DATA',
    'Claude.MD',
  ])('asks before %s is changed', path => {
    expect(verdictOf(path)).toBe('ask')
  })

  it.each([
    'src/a.ts',
    'package.json',
    '.gitignore',
    '.gitkeep',
    'src/.keep',
    '.editorconfig',
    'Makefile',
    '.eslintrc.js',
    '.env',
    'README.md',
    '...x',
    'x...',
    '.config/app.json',
    'docs/\u202fnarrow.md',
    'ü.txt',
    'git/config',
    'legit/.github-notes',
    '.github/ISSUE_TEMPLATE/bug.md',
    'src/git~1x',
    'backup~',
    'library/x',
    'vscode/tasks.json',
    'claude/x.md',
    '.well-known/security.txt',
    '.storybook/main.ts',
    'a:b.txt',
  ])('leaves %s alone', path => {
    expect(verdictOf(path)).toBeUndefined()
  })

  it('SG-18: lets a registered adapter into .sage/ and nowhere else', () => {
    expect(protectedPlace('.sage/chronicle', { granted: ['.sage'] })).toBeUndefined()
    expect(protectedPlace('.sage/.git/config', { granted: ['.sage'] })?.verdict).toBe('deny')
    expect(protectedPlace('.git/config', { granted: ['.sage'] })?.verdict).toBe('deny')
  })

  it('denies what is kept inside the workspace under a name of its own', () => {
    const kept = [
      { path: 'var/store', use: 'git' },
      { path: 'conf/mine.json', use: 'configuration' },
    ] as const
    expect(protectedPlace('var/Store/config', { kept })).toMatchObject({ verdict: 'deny', rule: 'builtin:git' })
    expect(protectedPlace('var/store', { kept })).toMatchObject({ verdict: 'deny' })
    expect(protectedPlace('conf/mine.json', { kept })).toMatchObject({ verdict: 'deny', rule: 'builtin:configuration' })
    expect(protectedPlace('var/other', { kept })).toBeUndefined()
    expect(protectedPlace('var', { kept })).toBeUndefined()
  })

  it.each([
    ['/home/me/repo', undefined],
    ['/home/me/.git', '.git'],
    ['/home/me/repo/.GIT/hooks', '.git/hooks'],
    ['/home/me/.config/nvim/lua', '.config/nvim/lua'],
    ['/home/me/.config/other', undefined],
    ['/home/me/.vscode', '.vscode'],
  ])('SG-18: a workspace at %s is protected from %j on', (root, protectedPart) => {
    expect(protectedRoot(root)).toBe(protectedPart)
  })

  it('SG-18: what lies in a workspace inside a protected place is protected like the place', () => {
    expect(protectedPlace('pre-commit', { root: '.git/hooks' })).toMatchObject({
      verdict: 'deny',
      rule: 'builtin:.git',
    })
    expect(protectedPlace('tasks.json', { root: '.vscode' })).toMatchObject({ verdict: 'ask', rule: 'builtin:.vscode' })
    expect(protectedPlace('config', { root: '.vscode/.git' })?.verdict).toBe('deny')
    expect(protectedPlace('notes.md', { root: '.sage', granted: ['.sage'] })).toBeUndefined()
  })
})

describe('reservedOnWindows', () => {
  it.each([
    'CON',
    'nul.txt',
    'a/COM1',
    'LPT9.log',
    'com¹',
    'aux ',
    'a<b',
    'a.txt:stream',
    'ends.',
    'ends ',
    'CONIN$',
    'CLOCK$',
    '\\\\server\\share\\x',
    '\\\\.\\pipe\\x',
    '\\Windows\\win.ini',
    '//server/share/x',
    'C:\\x',
    'C:x',
    'PROGRA~1',
    'a/LONGNA~2.TXT',
  ])('refuses %s on Windows only', path => {
    expect(reservedOnWindows(path, 'win32')).toContain('Windows')
    expect(reservedOnWindows(path, 'linux')).toBeUndefined()
  })

  it.each(['src/./console.ts', 'src\\a.ts', 'backup~', 'a~b.txt', 'notes~1-old.txt'])('takes %s', path => {
    expect(reservedOnWindows(path, 'win32')).toBeUndefined()
  })
})
