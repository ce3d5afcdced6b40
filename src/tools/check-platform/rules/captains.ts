import {fieldsOf} from '../asking.ts'
import {type Probe, QUICK} from '../probe.ts'
import {expect, expectRefusal} from '../verdicts.ts'
import {type Rule, shared} from './rule.ts'

const captain = shared(async (probe: Probe) => {
  const {newId, projectId, mark, authorId, post, shapes, litter} = probe
  const author = await authorId()
  const order = {requestId: newId(), projectId, name: mark.slice(0, 100), brief: QUICK}
  const whole = author === undefined ? order : {...order, authorId: author}
  const made = await post('/captains', whole)
  litter.thread(made['id'])
  shapes.look('captain', made)
  return {order: whole, made}
})

/** Section 4.4. */
export const captainRules: readonly Rule[] = [
  {
    section: '4.4',
    name: 'a captain is created under its name',
    bosun: '`/captain new` fails',
    check: async (probe) => {
      const {order, made} = await captain(probe)
      expect(`the name ${order.name}`, made['name'] === order.name, made['name'])
    },
  },
  {
    section: '4.4',
    name: 'a repeated requestId answers the existing captain',
    bosun: 'a lost answer makes two captains',
    check: async (probe) => {
      const {order, made} = await captain(probe)
      const again = await probe.post('/captains', order)
      probe.litter.thread(again['id'])
      expect(`the id ${String(made['id'])}`, again['id'] === made['id'], again['id'])
    },
  },
  ...(
    [
      [
        'additional properties of a captain are refused',
        {surprise: true},
        'a mistyped field is lost',
      ],
      [
        'a name of 101 characters is refused',
        {name: 'x'.repeat(101)},
        'nothing: its form takes 100',
      ],
    ] as const
  ).map(([name, wrong, bosun]): Rule => {
    return {
      section: '4.4',
      name,
      bosun,
      check: async ({ask, newId, projectId, mark, litter, authorId}) => {
        const author = await authorId()
        const order = {requestId: newId(), projectId, name: mark.slice(0, 100), brief: QUICK}
        const body = {...order, ...(author !== undefined && {authorId: author}), ...wrong}
        const answer = await ask('POST', '/captains', {body})
        litter.thread(fieldsOf(answer.body)['id'])
        expectRefusal(answer, 'InvalidRequest')
      },
    }
  }),
]
