import type {Handling} from '../../inbox/worker.ts'
import type {Leaks} from '../../security/leaks.ts'
import {Secret} from '../../security/secret.ts'
import {NOWHERE} from '../../store/tables/hooks/hook-secrets.ts'
import type {Store} from '../../store/store.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {listed} from '../../slack/incoming/entered.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {canStore} from '../../slack/secrecy.ts'
import {texts} from '../../slack/texts.ts'
import {ACTIONS, HOOK_FORMS} from '../../slack/ids.ts'
import type {Act, ActResult} from '../../slack/gate/act.ts'
import {requestIdOf} from '../../slack/gate/start-request.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import {hookTexts} from './texts.ts'
import {MAX_HOOK_NAME, drawGithubForm} from './views/forms.ts'
import {addressText, hookName} from './views/hooks.ts'

interface GithubHookActsOptions extends ActTools<'forms' | 'nowMs' | 'presence' | 'settingsOf'> {
  deps: Pick<Store, 'hooks' | 'sealer'>
  leaks: Pick<Leaks, 'toShow'>
  publicUrl: string | undefined
}

const words = hookTexts.github

/** [GitHub webhook]: an address to which GitHub says how pull requests stand, so that their cards do. */
export function createGithubHookActs(options: GithubHookActsOptions): Act[] {
  const {act, checks, deps, forms, leaks, publicUrl, nowMs} = options

  const openForm = async (
    team: string,
    channel: string,
    triggerId: string,
  ): Promise<ActResult | undefined> => {
    if (!canStore(deps.sealer)) return {answer: {text: hookTexts.noSealing}}
    const {values} = await options.settingsOf(team, channel)
    const project = values.projectName ?? values.projectId
    const opened = await forms.open(triggerId, drawGithubForm(channel, project))
    return opened === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const make = async (form: Form, channel: string, {row}: Handling): Promise<ActResult> => {
    const {team, user, values} = form
    if ((await options.presence(channel)) === 'outside') return {answer: {text: hookTexts.notIn}}
    const isWide = listed(values, 'wide').includes('wide')
    const {projectId} = (await options.settingsOf(team, channel)).values
    if (!isWide && projectId === undefined) return {answer: {text: words.noProject}, again: true}
    const hook = await deps.hooks.add(
      {
        requestId: requestIdOf(team, row),
        ...{team, channel, automationId: undefined, madeBy: user},
        name: oneLine(values.get('name') ?? '', MAX_HOOK_NAME).trim(),
        url: new Secret(NOWHERE),
        kind: 'github',
        isWide,
      },
      nowMs(),
    )
    const {secrets} = await deps.hooks.secretsOf(hook.id)
    const secret = leaks.toShow(secrets.secret)
    const said = words.made(hookName(hook), isWide)
    const text = [said, addressText(hook.id, publicUrl), words.setUp(secret)].join('\n')
    return {answer: {text}}
  }

  return [
    act('press', ACTIONS.githubNew, checks.member, async ({team, channel = '', triggerId}) =>
      openForm(team, channel, triggerId),
    ),
    act('form', HOOK_FORMS.github, checks.inForm, make),
  ]
}

/** What can be told wrong at once. */
export function checkGithubHook({values}: Form): Record<string, string> | undefined {
  return (values.get('name') ?? '').trim() === '' ? {name: words.nameMissing} : undefined
}
