import { Button, Group, Text } from '@mantine/core';

/** Returns the id of a notification's text, without spaces, which would separate ids. */
export const toTextId = (id: string): string => `${id.replaceAll(' ', '-')}-text`;

interface NoticeBodyProps {
  /** Id of the notification. */
  id: string;
  text: string;
  action: { label: string; run: () => void } | undefined;
}

/** Text of a notification with its optional button. */
export function NoticeBody({ id, text, action }: NoticeBodyProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" id={toTextId(id)}>
        {text}
      </Text>
      {action && (
        <Button variant="light" size="compact-sm" onClick={action.run} flex="none" aria-describedby={toTextId(id)}>
          {action.label}
        </Button>
      )}
    </Group>
  );
}
