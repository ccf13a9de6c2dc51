import { Button, Group, Text } from '@mantine/core';

interface NoticeBodyProps {
  text: string;
  action: { label: string; run: () => void } | undefined;
}

/** Text of a notification with its optional button. */
export function NoticeBody({ text, action }: NoticeBodyProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm">{text}</Text>
      {action && (
        <Button variant="light" size="compact-sm" onClick={action.run} flex="none">
          {action.label}
        </Button>
      )}
    </Group>
  );
}
