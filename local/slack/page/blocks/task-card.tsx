import {memo, useId, useState} from 'react'
import {fieldsIn, isFields, labelIn, stringIn, type Fields} from '../live/block-shape.ts'
import {ChevronIcon} from '../kit/icons.tsx'
import {SafeLink} from '../text/mrkdwn.tsx'
import {RichText} from '../text/rich-text.tsx'
import {TaskMark} from './task-mark.tsx'
import {planStatus, taskStatus} from './task-shape.ts'

/** One step of an agent; what it found out folds. https://docs.slack.dev/reference/block-kit/blocks/task-card-block */
export const TaskCard = memo(function TaskCard({block}: {block: Fields}) {
  const status = taskStatus(block.status)
  const title = stringIn(block.title) ?? labelIn(block.title) ?? 'Task'
  const sources = fieldsIn(block.sources)
  const parts = [block.details, block.output].filter(isFields)
  const [isOpen, setOpen] = useState(false)
  const bodyId = useId()
  const head = (
    <>
      <TaskMark status={status} />
      <span className="task-title">{title}</span>
    </>
  )
  if (parts.length === 0 && sources.length === 0) {
    return <div className={`task-card is-plain is-${status}`}>{head}</div>
  }
  return (
    <div className={`task-card is-${status}`}>
      <button
        type="button"
        className="fold-head"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => setOpen(!isOpen)}
      >
        {head}
        <ChevronIcon />
      </button>
      {isOpen && (
        <div className="task-body" id={bodyId}>
          {parts.map((part, index) => (
            <RichText key={index} block={part} />
          ))}
          {sources.length > 0 && <Sources sources={sources} />}
        </div>
      )}
    </div>
  )
})

function Sources({sources}: {sources: Fields[]}) {
  return (
    <ul className="sources" aria-label="Sources">
      {sources.map((source, index) => {
        const url = stringIn(source.url) ?? ''
        return (
          <li key={index}>
            <SafeLink url={url}>{stringIn(source.text) ?? url}</SafeLink>
          </li>
        )
      })}
    </ul>
  )
}

/** Tasks under one title that says how far they are; it folds. */
export function Plan({block}: {block: Fields}) {
  const tasks = fieldsIn(block.tasks)
  const [isOpen, setOpen] = useState(true)
  const bodyId = useId()
  return (
    <div className="plan">
      <button
        type="button"
        className="fold-head"
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => setOpen(!isOpen)}
      >
        <TaskMark status={planStatus(tasks.map(({status}) => taskStatus(status)))} />
        <span className="task-title">
          {stringIn(block.title) ?? labelIn(block.title) ?? 'Plan'}
        </span>
        <ChevronIcon />
      </button>
      {isOpen && (
        <ol className="plan-tasks" id={bodyId}>
          {tasks.map((task, index) => (
            <li key={stringIn(task.task_id) ?? index}>
              <TaskCard block={task} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
