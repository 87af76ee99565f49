class DispatchItem:
    def __init__(self, prompt):
        self.prompt = prompt


async def dispatch_calls(items):
    return [item.prompt.upper() + " " for item in items]
