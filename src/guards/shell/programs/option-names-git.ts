import type { OptionNames } from './program.ts'

const DIFF = `-p/-u/--patch -s/--no-patch -U/--unified? -W/--function-context -X/--dirstat? -B/--break-rewrites?
    -M/--find-renames? -D/--irreversible-delete -C/--find-copies? -w/--ignore-all-space -b/--ignore-space-change
    -I/--ignore-matching-lines= -a/--text`
const LOG = `${DIFF} -n/--max-count= -i/--regexp-ignore-case -E/--extended-regexp -F/--fixed-strings -P/--perl-regexp
    -g/--walk-reflogs -q/--quiet`

/** From `git COMMAND -h` and the manuals. */
export const GIT_OPTIONS: Readonly<Record<string, OptionNames>> = {
  git: '-v/--version -h/--help -p/--paginate -P/--no-pager',
  'git branch': `-v/--verbose -q/--quiet -t/--track? -u/--set-upstream-to= -r/--remotes -a/--all -d/--delete
    -m/--move -c/--copy -l/--list -f/--force -i/--ignore-case`,
  'git push': `-v/--verbose -q/--quiet -d/--delete -n/--dry-run -f/--force -u/--set-upstream -o/--push-option=
    -4/--ipv4 -6/--ipv6`,
  'git reset': '-q/--quiet -p/--patch -N/--intent-to-add',
  'git checkout': '-q/--quiet -m/--merge -d/--detach -t/--track? -f/--force -2/--ours -3/--theirs -p/--patch',
  'git clean': '-q/--quiet -n/--dry-run -f/--force -i/--interactive -e/--exclude= -d -x -X',
  'git tag': `-l/--list -d/--delete -v/--verify -a/--annotate -m/--message= -F/--file= -e/--edit -s/--sign
    -u/--local-user= -f/--force -i/--ignore-case`,
  'git commit': `-q/--quiet -v/--verbose -F/--file= -m/--message= -c/--reedit-message= -C/--reuse-message=
    -s/--signoff -t/--template= -e/--edit -S/--gpg-sign? -a/--all -i/--include -p/--patch -o/--only -n/--no-verify
    -z/--null -u/--untracked-files?`,
  'git add': `-n/--dry-run -v/--verbose -i/--interactive -p/--patch -e/--edit -f/--force -u/--update
    -N/--intent-to-add -A/--all`,
  'git rm': '-n/--dry-run -q/--quiet -f/--force',
  'git mv': '-v/--verbose -n/--dry-run -f/--force',
  'git restore': '-s/--source= -S/--staged -W/--worktree -q/--quiet -m/--merge -2/--ours -3/--theirs -p/--patch',
  'git switch': '-c/--create= -C/--force-create= -q/--quiet -m/--merge -d/--detach -t/--track? -f/--force',
  'git merge': `-e/--edit -s/--strategy= -X/--strategy-option= -m/--message= -F/--file= -v/--verbose -q/--quiet
    -S/--gpg-sign?`,
  'git rebase': `-q/--quiet -v/--verbose -n/--no-stat -f/--force-rebase -m/--merge -i/--interactive
    -S/--gpg-sign? -x/--exec= -r/--rebase-merges? -s/--strategy= -X/--strategy-option=`,
  'git cherry-pick': '-n/--no-commit -e/--edit -s/--signoff -m/--mainline= -X/--strategy-option= -S/--gpg-sign?',
  'git revert': '-n/--no-commit -e/--edit -s/--signoff -m/--mainline= -X/--strategy-option= -S/--gpg-sign?',
  'git fetch': `-v/--verbose -q/--quiet -a/--append -f/--force -m/--multiple -t/--tags -j/--jobs= -p/--prune
    -P/--prune-tags -k/--keep -u/--update-head-ok -o/--server-option= -4/--ipv4 -6/--ipv6`,
  'git pull': `-v/--verbose -q/--quiet -r/--rebase? -s/--strategy= -X/--strategy-option= -S/--gpg-sign?
    -a/--append -f/--force -t/--tags -p/--prune -j/--jobs? -k/--keep -o/--server-option= -4/--ipv4 -6/--ipv6`,
  'git clone': `-v/--verbose -q/--quiet -n/--no-checkout -l/--local -s/--shared -j/--jobs= -o/--origin=
    -b/--branch= -u/--upload-pack= -c/--config= -4/--ipv4 -6/--ipv6`,
  'git init': '-q/--quiet -b/--initial-branch=',
  'git config': '-f/--file= -l/--list -e/--edit -t/--type= -z/--null',
  'git apply': '-N/--intent-to-add -3/--3way -R/--reverse -v/--verbose -q/--quiet',
  'git am': `-i/--interactive -3/--3way -q/--quiet -s/--signoff -u/--utf8 -k/--keep -m/--message-id -c/--scissors
    -r/--resolved/--continue -S/--gpg-sign?`,
  'git gc': '-q/--quiet',
  'git diff': DIFF,
  'git log': LOG,
  'git show': LOG,
  'git grep': `-v/--invert-match -i/--ignore-case -w/--word-regexp -a/--text -r/--recursive -E/--extended-regexp
    -G/--basic-regexp -F/--fixed-strings -P/--perl-regexp -n/--line-number -l/--files-with-matches
    -L/--files-without-match -z/--null -o/--only-matching -c/--count -C/--context= -B/--before-context=
    -A/--after-context= -p/--show-function -W/--function-context -q/--quiet -O/--open-files-in-pager?
    -m/--max-count=`,
  'git status': '-v/--verbose -s/--short -b/--branch -z/--null -u/--untracked-files? -M/--find-renames?',
  'git archive': '-o/--output= -v/--verbose -l/--list',
  'git format-patch': `-n/--numbered -N/--no-numbered -s/--signoff -v/--reroll-count= -o/--output-directory=
    -k/--keep-subject -p/--no-stat -q/--quiet`,
  'git ls-files': `-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage -k/--killed
    -u/--unmerged -x/--exclude= -X/--exclude-from=`,
  'git symbolic-ref': '-q/--quiet -d/--delete',
  'git prune': '-n/--dry-run -v/--verbose',
  'git stash': '-k/--keep-index -u/--include-untracked -a/--all -q/--quiet -S/--staged -p/--patch -m/--message=',
  'git repack': `-q/--quiet -l/--local -b/--write-bitmap-index -i/--delta-islands -k/--keep-unreachable
    -g/--geometric= -m/--write-midx`,
}
