import {needsProjects} from '../../../agents/resolve-options.ts'
import {OPTION_NAMES} from '../../../agents/start-options.ts'
import type {ChoiceStore} from '../../../store/tables/choices.ts'
import type {Start, StartStore} from '../../../store/tables/work/starts.ts'
import type {Press} from '../../../slack/incoming/press.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {texts} from '../../../slack/texts.ts'
import {type Act, type Check, type MakeAct, Refusal} from '../../../slack/gate/act.ts'
import {type Begin, standingOfStart, startRequestSchema} from '../../../slack/gate/start-request.ts'
import {startTexts} from '../start-texts.ts'

interface StartActsOptions {
  act: MakeAct
  deps: {starts: StartStore; choices: ChoiceStore}
  begin: Begin
}

/** `3fG… project=project_web`, as a button of a question bears it. */
const VALUE = /^(\S+) (\w+)=(.*)$/

interface Chosen {
  start: Start
  name: (typeof OPTION_NAMES)[number]
  /** Empty to leave the option out. */
  value: string
}

/** The buttons below an option that was not right: whoever asked starts the work with another value. */
export function createStartActs({act, deps, begin}: StartActsOptions): Act[] {
  const {starts, choices} = deps

  const onQuestion: Check<Press, Chosen> = {
    name: 'who asked',
    look: async (press) => {
      const [, id = '', word, value = ''] = VALUE.exec(press.value) ?? []
      const name = OPTION_NAMES.find((one) => one === word)
      const start = await starts.byId(id)
      const isHere = start?.team === press.team && standingOfStart(start).channel === press.channel
      if (name === undefined || !isHere) {
        return new Refusal({text: startTexts.tooOld})
      }
      if (start.user !== press.user) return new Refusal({text: texts.talk.notYourQuestion})
      return {start, name, value}
    },
    standing: ({start}) => standingOfStart(start),
  }

  return [
    act('press', ACTIONS.startWith, onQuestion, async (press, {start, name, value}, handling) => {
      const {team, user} = press
      if (!(await starts.take(start.id, handling.row.key))) {
        return {answer: {text: startTexts.chosen}}
      }
      const asked = startRequestSchema.parse(start.request)
      const options = {...asked.options, [name]: value === '' ? undefined : value}
      const request = {...asked, options}
      // Something else may be wrong, too: what was chosen stays chosen.
      await starts.keepRequest(start.id, request)
      // Asked for none, they chose for all that they will ask for here.
      const isStanding = name === 'project' && !needsProjects(asked.options)
      if (isStanding) await choices.change({team, user}, {project: value})
      const outcome = await begin(request, {team, user}, handling)
      if (outcome === undefined) return undefined
      await starts.release(start.id)
      return {...outcome, again: true}
    }),
  ]
}
