import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { judgeStart } from './judge-start.ts'

const rule = (verdict: CommandRule['verdict'], command: string): CommandRule => ({
  id: command,
  verdict,
  prefix: command.split(' '),
})

/** What a deny rule says about a line while everything else is allowed, and about the start of the same words. */
const verdicts = (command: string, lines: readonly string[]): readonly (readonly string[])[] => {
  const rules = [rule('deny', command)]
  return lines.map(line => {
    const [program = '', ...args] = line.split(' ')
    return [
      line,
      judgeCommand(line, { rules, fallback: 'allow' }).verdict,
      judgeStart({ names: [program], path: `/usr/bin/${program}`, isFixed: true, args }, rules).verdict,
    ]
  })
}

const all = (lines: readonly string[], verdict: string): readonly (readonly string[])[] =>
  lines.map(line => [line, verdict, verdict])

describe('a rule that denies an option', () => {
  it.each([
    ['sed -i', ['sed --in-place s/a/b/ f', 'sed --in-pl s/a/b/ f', 'sed -ni p f', 'sed -i.bak p f', 'gsed -i p f']],
    ['sed -i', ['sed -e p -i f', 'sed --in-place=.bak p f', 'sed -Ei p f', 'sed p f -i', 'sed -n --in p f']],
    ['sed --in-place', ['sed -i p f', 'sed -ni p f', 'sed -i.bak p f']],
    [
      'tar -x',
      ['tar xf a.tar', 'tar --extract -f a', 'tar --get -f a', 'tar vxzf a', 'tar -C d -xf a', 'tar --ext -f a'],
    ],
    ['tar x', ['tar -xf a', 'tar --get -f a']],
    ['tar --extract', ['tar xf a', 'tar -zxf a', 'gtar xf a']],
    [
      'sort -o',
      ['sort --output=x f', 'sort --output x f', 'sort -ox f', 'sort f -o x', 'sort -uo x f', 'sort --ou=x f'],
    ],
    [
      'git branch -D',
      ['git branch -d -f zz', 'git branch --delete --force zz', 'git branch -fd zz', 'git branch --del -f z'],
    ],
    ['git branch --delete', ['git branch -d x', 'git branch -D x', 'git -C . branch -D x']],
    ['git branch -d', ['git branch -D x', 'git branch --delete x']],
    ['git branch -m', ['git branch --move a b', 'git branch -M a b']],
    ['git push --force', ['git push -f', 'git push origin main -f', 'git push --forc', 'git push -uf origin main']],
    ['git reset --hard', ['git reset --har HEAD', 'git reset -q --hard', 'git reset HEAD --hard']],
    ['git clean -fd', ['git clean -d --force', 'git clean -xdf', 'git clean --force -d']],
    ['git commit --no-verify', ['git commit -n -m x', 'git commit -nm x', 'git commit --no-ver -m x']],
    ['git commit -a', ['git commit --all', 'git commit -am x']],
    ['git stash -u', ['git stash --include-untracked', 'git stash push -u', 'git stash push --include-untracked']],
    ['git tag -d', ['git tag --delete v1', 'git tag -d v1']],
    ['git checkout -- f', ['git checkout -q -- f', 'git checkout -- f']],
    ['git checkout --', ['git checkout -- f', 'git checkout -q -- g']],
    ['git checkout -b', ['git checkout -B x', 'git checkout -qb x']],
    ['git -c', ['git -c a.b=c status', 'git -C . -c a.b=c log']],
    [
      'curl -d',
      ['curl --data x u', 'curl -dx u', 'curl --data=x u', 'curl -sd x u', 'curl --data-raw x u', 'curl --json x u'],
    ],
    [
      'curl -X POST',
      ['curl -XPOST u', 'curl --request POST u', 'curl --request=POST u', 'curl u -X POST', 'curl -sXPOST u'],
    ],
    ['curl -XPOST', ['curl -X POST u', 'curl --request POST u']],
    ['curl --request=POST', ['curl -X POST u', 'curl -XPOST u']],
    [
      'wget -O',
      ['wget --output-document=x u', 'wget --output-document x u', 'wget -Ox u', 'wget -qO x u', 'wget -qO- u'],
    ],
    ['wget -r', ['wget --recursive u', 'wget -m u', 'wget --mirror u']],
    ['ln -s', ['ln --symbolic a b', 'ln -fs a b', 'ln a b -s', 'ln --symb a b']],
    ['tee -a', ['tee --append f', 'tee -ia f', 'tee --app f']],
    ['cp -r', ['cp -R a b', 'cp --recursive a b', 'cp -a a b', 'cp --archive a b']],
    ['rm -rf', ['rm -fr x', 'rm -r -f x', 'rm --recursive --force x', 'rm -R x -f', 'rm --rec --for x']],
    ['mv -f', ['mv --force a b', 'mv -vf a b']],
    ['chmod -R 777', ['chmod --recursive 777 x', 'chmod 777 -R x', 'chmod -vR 777 x']],
    ['chown -R', ['chown --recursive a x', 'chown -hR a x', 'chown a x -R']],
    [
      'kill -9',
      ['kill -KILL 1', 'kill -s 9 1', 'kill -s KILL 1', 'kill -SIGKILL 1', 'kill --signal=9 1', 'kill -n 9 1'],
    ],
    ['kill -s KILL', ['kill -9 1', 'kill --signal kill 1', 'kill -sKILL 1']],
    ['pkill -9', ['pkill -KILL x', 'pkill --signal KILL x', 'pkill -f -9 x']],
    ['mkdir -p', ['mkdir --parents a/b', 'mkdir -vp a']],
    ['touch -c', ['touch --no-create f', 'touch -ac f']],
    ['rsync --delete', ['rsync -a --delete a b', 'rsync --del a b']],
    ['rsync -r', ['rsync --recursive a b', 'rsync -avz a b']],
    ['scp -r', ['scp -qr a b', 'scp -r a b']],
    ['find -delete', ['find . -delete', 'find . -name x -delete']],
    ['npm install -g', ['npm i --global x', 'npm -g install x', 'npm add x -g', 'npm install --glob x']],
    ['npm publish --force', ['npm publish -f', 'npm --force publish']],
    ['pip install -U', ['pip3 install --upgrade x', 'pip install x -U', 'pip install --upg x', 'pip -q install -U x']],
    ['docker run --privileged', ['docker run --rm --privileged i', 'docker container run --privileged i']],
    ['docker run -v', ['docker run --volume a:b i', 'docker run -va:b i', 'docker run -itv a:b i']],
    ['docker rm -f', ['docker rm --force x', 'docker container rm -vf x']],
    ['systemctl stop --force', ['systemctl stop -f x', 'systemctl -f stop x', 'systemctl --force stop x']],
    ['xargs -P', ['xargs --max-procs=4 ls', 'xargs -P4 ls']],
    ['bash -c', ['bash -lc ls', 'bash +x -c ls', 'bash +o posix -c ls', 'bash --norc -ec ls']],
    ['sudo -u', ['sudo --user=x ls', 'sudo -nu x ls']],
    ['find -exec', ['find . -execdir ls', 'find . -ok ls']],
    ['git log -p', ['git log --patch', 'git log -u', 'git log -5 -p']],
    ['frob -r', ['frob --recursive x', 'frob -R x', 'frob -xr y']],
    ['frob -X POST', ['frob -XPOST u', 'frob -X POST u']],
    ['frob --mode fast', ['frob --mode=fast u', 'frob --mode fast u']],
  ] as const)('%s holds for every spelling of it: %j', (command, lines) => {
    expect(verdicts(command, lines)).toEqual(all(lines, 'deny'))
  })

  it.each([
    [
      'sed -i',
      ['sed -n 1p f', 'sed -e s/i/o/ f', 'sed --quiet p f', 'sed -E s/a/b/ f', 'sed s/a/b/ -- -i', 'sed --expr=p f'],
    ],
    ['tar -x', ['tar tf a.tar', 'tar -czf a.tar x', 'tar --list -f x', 'tar cf x.tar x']],
    ['sort -o', ['sort -u f', 'sort --unique f', 'sort -to f', 'sort -k2 f', 'sort --reverse f']],
    [
      'git branch -D',
      ['git branch', 'git branch -d x', 'git branch --list -a', 'git branch -f x', 'git branch --merged'],
    ],
    ['git push --force', ['git push', 'git push -u origin main', 'git push --tags', 'git push --force-with-lease']],
    ['git reset --hard', ['git reset HEAD', 'git reset --soft HEAD~', 'git reset -q', 'git reset -- f']],
    ['git checkout -- f', ['git checkout main', 'git checkout -b f2', 'git checkout -- g']],
    ['git commit -c', ['git -c a.b=c commit -m x', 'git commit -m c']],
    ['git -c', ['git commit -c HEAD', 'git switch -c x', 'git status']],
    ['git clean -fd', ['git clean -n', 'git clean -f x']],
    ['git stash -u', ['git stash', 'git stash list', 'git stash -q', 'git stash pop']],
    ['curl -d', ['curl -s u', 'curl -o d u', 'curl --head u', 'curl -H d u']],
    ['curl -X POST', ['curl u', 'curl -X GET u', 'curl -XPUT u', 'curl --request=GET u', 'curl -H POST u']],
    ['wget -O', ['wget u', 'wget -q u', 'wget --no-verbose u', 'wget -o log u']],
    ['ln -s', ['ln a b', 'ln -f a b', 'ln --force a b']],
    ['tee -a', ['tee f', 'tee -i f']],
    ['cp -r', ['cp a b', 'cp -p a b', 'cp --verbose a b']],
    ['rm -rf', ['rm f', 'rm -f x', 'rm -r x', 'rm --force x', 'rm -- -rf']],
    ['kill -9', ['kill 9', 'kill -TERM 1', 'kill -s HUP 9', 'kill -15 1', 'kill -l']],
    ['chmod -R 777', ['chmod 777 x', 'chmod -R 755 x', 'chmod +x f']],
    ['grep -r', ['grep -n x f', 'grep --color x f', 'grep -e r f']],
    ['npm install -g', ['npm install', 'npm i -D x', 'npm install --save-exact x', 'npm ci']],
    ['pip install -U', ['pip install x', 'pip install -r r.txt', 'pip3 list', 'pip install --no-deps x']],
    ['docker run -v', ['docker run --rm -it i', 'docker ps -a', 'docker run i ls -v', 'docker run -e V=1 i']],
    ['find -delete', ['find . -name delete', 'find . -type f']],
    ['make deploy', ['make', 'make all', 'make -C deploy all', 'make V=deploy all', 'make deploy-docs']],
    [
      'pip install',
      ['pip list', 'pip3 show install', 'python3 -m venv install', 'python3 pip install', 'pipx install x'],
    ],
    ['dd of=/dev/sda', ['dd if=/dev/sda of=x', 'dd if=a']],
    ['bash -c', ['bash s.sh -c', 'bash -e s.sh --all', 'bash s.sh']],
    ['git log -p', ['git log --oneline', 'git log -5', 'git log --stat -n 3']],
    ['frob -r', ['frob x', 'frob r']],
    ['python3', ['python-config', 'pypy x', 'pip list']],
  ] as const)('%s leaves other commands alone: %j', (command, lines) => {
    expect(verdicts(command, lines)).toEqual(all(lines, 'allow'))
  })

  it.each([
    ['sed -i', ['sed --frobnicate p f', 'sed -Q p f']],
    ['sed --separate', ['sed --s p f']],
    ['git branch -D', ['git branch --unheard x']],
    ['git checkout -- f', ['git checkout f', 'git checkout -q f']],
    ['docker run -v', ['docker run --unheard x i']],
    ['frob -x', ['frob --extract a', 'frob -y a']],
    ['frob --extract', ['frob -x a', 'frob --get a']],
    ['tsc -w', ['tsc --watch']],
    ['xxd -r', ['xxd -revert f']],
    ['terraform apply -auto-approve', ['terraform apply -input=false']],
  ] as const)('%s asks where an option is not known to be another: %j', (command, lines) => {
    expect(verdicts(command, lines)).toEqual(all(lines, 'ask'))
  })
})

describe('a rule that denies a command', () => {
  it.each([
    ['make deploy', ['make all deploy', 'make V=1 deploy', 'make -C . deploy', 'make -j 4 deploy', 'gmake deploy all']],
    ['mvn deploy', ['mvn clean deploy', 'mvn -q deploy']],
    ['dd of=/dev/sda', ['dd if=x of=/dev/sda', 'dd bs=1M of=/dev/sda if=x']],
    ['pip install', ['pip3 install x', 'pip3.11 install x', 'python3 -m pip install x', 'python -mpip install x']],
    [
      'pip3 install',
      ['pip install x', 'pip3 --proxy x install y', 'python3.12 -I -m pip install x', 'pypy3 -m pip install x'],
    ],
    ['python3', ['python x', 'python3.12 x', 'python3 -V']],
    ['python', ['python3 x', 'python3.12 -c 1']],
    ['node -e', ['nodejs --eval 1', 'node --eval=1', 'node -e 1']],
  ] as const)('%s holds for other names and orders: %j', (command, lines) => {
    expect(verdicts(command, lines)).toEqual(all(lines, 'deny'))
  })

  it('holds for ask rules in the same way', () => {
    const rules = [rule('ask', 'sed -i')]
    const judged = (line: string) => judgeCommand(line, { rules, fallback: 'allow' }).verdict
    expect(['sed --in-place p f', 'sed -n p f'].map(judged)).toEqual(['ask', 'allow'])
  })

  it('leaves rules that allow as they are', () => {
    const rules = ['sed -i', 'pip install', 'make deploy'].map(command => rule('allow', command))
    const lines = ['sed --in-place p f', 'pip3 install x', 'python3 -m pip install x', 'make all deploy']
    expect(lines.map(line => judgeCommand(line, { rules, fallback: 'ask' }).verdict)).toEqual(lines.map(() => 'ask'))
  })
})
