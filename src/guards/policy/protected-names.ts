/** Directories that file tools never change: their content runs code or records what was done. */
export const NEVER: ReadonlyMap<string, string> = new Map([
  ['.git', 'git metadata can run code (hooks, filters, fsmonitor)'],
  ['.hg', 'Mercurial metadata can run code (hooks)'],
  ['.jj', 'Jujutsu metadata can run code'],
  ['.svn', 'Subversion metadata can run code (hooks)'],
  ['.bzr', 'Bazaar metadata can run code (hooks)'],
  ['.sage', 'it belongs to the host; only a registered adapter may be granted it'],
  ['.toolwright', "it is Toolwright's own state"],
])

/** Names that ask at any depth, for files and directories. */
export const ASK_NAMES: ReadonlySet<string> = new Set(
  [
    // agents: settings, tools, memories
    '.claude .claude-plugin .claude.json .cursor .codex .gemini .windsurf .codeium .continue .roo .roomodes .cline .kilocode .kilocodemodes',
    '.amazonq .kiro .qwen .opencode .goose .augment .tabnine .junie .trae .void .copilot .agents .agent .crush .openhands .factory .amp .devin',
    '.cody .sourcegraph .serena .ruler .rules .mcp .mcp.json mcp.json .mcp.yaml .mcp.yml .lsp.json claude_desktop_config.json opencode.json',
    'opencode.jsonc .opencode.json crush.json .crush.json .openai .anthropic .llm .zencoder .plandex .warp .bolt .lovable .v0',
    // agents: instructions
    'claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md warp.md crush.md replit.md',
    'copilot-instructions.md .cursorrules .cursorignore .cursorindexingignore .clinerules .clineignore .windsurfrules .codeiumignore .roorules',
    '.rooignore .goosehints .goosehints.local .geminiignore .aiexclude .aiignore .claudeignore .copilotignore .junie.md .augment-guidelines',
    '.kilocodeignore toolwright.json',
    // editors and hosted development environments
    '.vscode .vscode-insiders .vscode-server .vscodium .idea .fleet .run .vs .zed .nova .atom .helix .settings .vim .nvim .emacs.d .vimrc .gvimrc',
    '.ideavimrc .exrc .nvimrc .nvim.lua .lvimrc .lazy.lua .neoconf.json .emacs .dir-locals.el .dir-locals-2.el .devcontainer .devcontainer.json',
    'devcontainer.json .codesandbox .idx .replit replit.nix .gitpod.yml .gitpod.yaml .gitpod.dockerfile .stackblitzrc .theia .kakrc .nanorc',
    // shells and terminals
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_functions .profile .zshrc .zshenv .zprofile .zlogin .zlogout .zsh_aliases',
    '.kshrc .mkshrc .cshrc .tcshrc .login .logout .shrc .shinit .inputrc .aliases .xprofile .xinitrc .xsession .xsessionrc .xresources .tmux.conf',
    '.screenrc .oh-my-zsh .wezterm.lua .kitty.conf config.fish profile.ps1 microsoft.powershell_profile.ps1 .envrc .direnv .env.fish .nushell',
    // git and hooks
    '.gitconfig .gitattributes .gitmodules .lfsconfig .git-credentials .git-hooks .githooks .hgrc .husky .huskyrc .lefthook .overcommit.yml',
    '.pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs',
    // package managers and build tools that run what their settings name
    '.npmrc .pnpmrc .yarnrc .yarnrc.yml .yarnrc.yaml .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js pnpmfile.js pnpmfile.cjs bunfig.toml .bunfig.toml',
    '.pypirc pip.conf .pip .condarc .gemrc .bundle .mvn .bazelrc .terraformrc .cargo .tool-versions .asdfrc .mise.toml mise.toml .mise.local.toml',
    'mise.local.toml .mise .rtx.toml .watchmanconfig .noderc .node-gyprc .nuget.config nuget.config .sdkmanrc .volta .sbtopts .jvmopts',
    // continuous integration
    '.gitlab-ci.yml .gitlab-ci.yaml .circleci .buildkite .travis.yml .drone.yml .drone.star .woodpecker .woodpecker.yml .woodpecker.yaml',
    '.appveyor.yml appveyor.yml azure-pipelines.yml azure-pipelines.yaml .azure-pipelines bitbucket-pipelines.yml jenkinsfile .semaphore .teamcity',
    'cloudbuild.yaml cloudbuild.yml buildspec.yml codemagic.yaml .cirrus.yml .builds .build.yml .teamcity.yml .tekton .concourse .dagger',
    // tools that read a start-up file
    '.ripgreprc .curlrc .wgetrc .netrc _netrc .ssh .gnupg .aws .azure .kube .docker .gdbinit .lldbinit .pdbrc .pdbrc.py .pythonrc .pythonrc.py',
    '.pythonstartup .irbrc .pryrc .rprofile .renviron .sqliterc .psqlrc .myrc .my.cnf .mongorc.js .mongoshrc.js .ghci .ipython .jupyter .octaverc',
    '.ackrc .lesskey .mailcap .muttrc .crontab .launchd.conf .xbindkeysrc .pam_environment .hushlogin .forward desktop.ini autorun.inf',
  ].flatMap(line => line.split(' ')),
)

/** Names that ask if they start like this. */
export const ASK_PREFIXES: readonly string[] = [
  '.aider',
  '.huskyrc.',
  '.lintstagedrc',
  '.cursorrules',
  '.clinerules',
  '.windsurfrules',
  '.claude-',
  '.cursor-',
  '.codex-',
  '.gemini-',
  '.trae-',
  'lefthook.',
  '.lefthook.',
  'lefthook-local.',
  '.lefthook-local.',
  '.gitlab-ci.',
  '.bash_',
  '.zsh',
  '.tmux.conf.',
]

/** Names that ask if they end like this. */
export const ASK_SUFFIXES: readonly string[] = [
  '.code-workspace',
  '.sublime-project',
  '.sublime-workspace',
  '.instructions.md',
]

/**
 * Names that ask inside one directory only. The directory itself asks too, because it can be moved or replaced whole.
 */
export const ASK_INSIDE: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '.github',
    [
      'workflows',
      'actions',
      'copilot',
      'instructions',
      'prompts',
      'chatmodes',
      'agents',
      'skills',
      'hooks',
      'mcp',
      'codespaces',
    ],
  ],
  ['.gitea', ['workflows', 'actions']],
  ['.forgejo', ['workflows', 'actions']],
  ['.gitlab', ['ci', 'agents', 'duo', '.gitlab-ci']],
  ['.yarn', ['releases', 'plugins', 'sdks']],
  [
    '.config',
    [
      'git',
      'fish',
      'nvim',
      'vim',
      'zed',
      'helix',
      'gh',
      'systemd',
      'autostart',
      'toolwright',
      'mise',
      'direnv',
      'ripgrep',
      'environment.d',
      'nushell',
      'powershell',
      'kitty',
      'alacritty',
      'wezterm',
      'tmux',
      'claude',
      'opencode',
      'goose',
      'crush',
      'github-copilot',
      'code',
      'husky',
      'pip',
    ],
  ],
  ['.local', ['bin', 'share', 'state']],
  ['.gradle', ['init.d', 'init.gradle', 'init.gradle.kts']],
])
